/// The style sheet of the calendar: light and dark, wide and narrow.
enum CalendarStyle {
  static let text = """
    text{font-family:system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,"DejaVu Sans",sans-serif;fill:#1d2330}
    .page{fill:#fff}.heading{font-size:28px;font-weight:700}.range{font-size:16px;fill:#5c6575}
    .weekday{font-size:14px;font-weight:600;fill:#5c6575}.person{font-size:17px;font-weight:600}
    .count{font-size:15px;fill:#5c6575}.track{fill:#eceff4}
    .day{stroke:#e3e7ee;stroke-width:1}.odd{fill:#fbfcfe}.even{fill:#f1f4f9}.outside{fill:none;stroke:none}
    .today{stroke:#1d2330;stroke-width:2}.date{font-size:15px;fill:#5c6575}.strong{font-weight:700;fill:#1d2330}
    .faint{fill:none}.title{font-size:13px;font-weight:600}.who{font-size:11px;fill:#4a5262}.more{font-size:13px;fill:#5c6575}
    .initial,.brief{display:none}.brief{font-size:27px;font-weight:600}.skipped{opacity:.5}.skipped .title{text-decoration:line-through}.done{opacity:.75}
    @media (max-width:700px){
    .title,.who,.person,.count{display:none}.brief{display:inline}.initial{display:inline;font-size:27px;font-weight:700}.date{font-size:26px}
    .weekday{font-size:28px}.heading{font-size:40px}.range{font-size:26px}.more{font-size:24px}}
    @media (prefers-color-scheme:dark){
    text{fill:#e8ebf2}.page{fill:#14171d}.range,.weekday,.count,.date,.more{fill:#9aa4b5}.who{fill:#b9c1cf}
    .odd{fill:#1a1e26}.even{fill:#20252f}.day{stroke:#2c323d}.outside{stroke:none}.today{stroke:#e8ebf2}.strong{fill:#e8ebf2}
    .track{fill:#272c36}.faint{fill:none}}
    """
}
