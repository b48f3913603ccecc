import CommandLineTool

DeltadiffTool.command.main()
