import CommandLineTool

PeerlinkTool.command.main()
