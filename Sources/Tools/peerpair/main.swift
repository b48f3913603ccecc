import CommandLineTool

PeerpairTool.command.main()
