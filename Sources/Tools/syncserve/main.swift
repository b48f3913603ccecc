import CommandLine

SyncserveTool.command.main()
