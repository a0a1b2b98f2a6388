import { start } from "../frame/start";
import { App } from "./app";

void start(App);
