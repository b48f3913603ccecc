import CommandLine

PcapstreamTool.command.main()
