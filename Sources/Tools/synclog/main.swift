import CommandLine

SynclogTool.command.main()
