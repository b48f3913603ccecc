import CommandLineTool

WatchcontextTool.command.main()
