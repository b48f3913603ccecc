FrameTool.command.main()
