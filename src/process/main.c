/* broadsheet: the commands. */
int
main(void)
{
	return 0;
}
