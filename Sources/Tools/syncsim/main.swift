import CommandLineTool

SyncsimTool.command.main()
