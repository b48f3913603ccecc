import CommandLine

WatchcontextTool.command.main()
