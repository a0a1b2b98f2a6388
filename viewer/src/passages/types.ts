import type { Report } from "../frame/types";

export type Payload = Report;
