import CommandLineTool

SynclogTool.command.main()
