"""Where the work is done: functions shaped like map."""
