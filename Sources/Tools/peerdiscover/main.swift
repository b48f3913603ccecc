import CommandLineTool

PeerdiscoverTool.command.main()
