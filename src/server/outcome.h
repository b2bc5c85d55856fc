#ifndef SERVER_OUTCOME_H
#define SERVER_OUTCOME_H

/* How a command ends: the exit status of the program. man/broadsheet.1 tells the same. */
enum outcome {
	OUTCOME_DONE = 0,
	OUTCOME_FAILED = 1, /* it could not be done, or there is no such item */
	OUTCOME_USAGE = 2,  /* the command line is wrong */
	OUTCOME_CONFIG = 3, /* a setting is wrong */
	OUTCOME_TABLE = 4,  /* the table is out of reach, damaged, or full */
};

#endif
