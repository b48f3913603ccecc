import CommandLineTool

PeersyncTool.command.main()
