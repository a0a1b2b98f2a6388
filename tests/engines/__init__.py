"""Other engines and their inputs: Arrow tables, Spark."""
