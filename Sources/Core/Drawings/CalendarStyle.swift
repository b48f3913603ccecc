/// The style sheet of the calendar: light and dark, wide and narrow, and paper.
enum CalendarStyle {
  /// The drawings are as wide and as high as given.
  static func text(wide: (Int, Int), narrow: (Int, Int)) -> String {
    """

    :root{display:block;width:100%;max-width:1500px;height:auto;aspect-ratio:\(wide.0)/\(wide.1);margin:0 auto;background:#fff}
    .narrow{display:none}
    @media screen and (max-width:700px){:root{aspect-ratio:\(narrow.0)/\(narrow.1)}.wide{display:none}.narrow{display:inline}}
    \(look)

    """
  }

  private static let look = """
    text{font-family:system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,"DejaVu Sans",sans-serif;fill:#1d2330}
    .page{fill:#fff}.heading{font-size:28px;font-weight:700}.range{font-size:16px;fill:#5c6575}
    .person{font-size:16px;font-weight:600}.count{font-size:14px;fill:#5c6575}.track{fill:#e9edf3}.tint{fill-opacity:.2}
    .weekday{font-size:14px;font-weight:600;fill:#5c6575}.date{font-size:15px;fill:#5c6575}.strong{font-weight:700;fill:#1d2330}
    .faint{fill:#5c6575;opacity:.4}.section{font-size:20px;font-weight:700}
    .day{stroke:#e0e5ed;stroke-width:1}.odd{fill:#fdfdfe}.even{fill:#f3f5f9}.outside{fill:none;stroke:#eef1f5}
    .today{fill:#fff;stroke:#1d2330;stroke-width:2}.month{fill:none;stroke:#8b95a7;stroke-width:2}
    .title{font-size:13px;font-weight:600}.who{font-size:12px;fill:#39414f}.when{font-size:12px;fill:#5c6575}.more{font-size:13px;fill:#5c6575}
    .narrow .title{font-size:16px}.narrow .who,.narrow .when{font-size:14px}
    .skipped{opacity:.6}.skipped .title{text-decoration:line-through}.done{opacity:.75}
    @media screen and (prefers-color-scheme:dark){
    :root{background:#14171d}text{fill:#e8ebf2}.page{fill:#14171d}
    .range,.weekday,.count,.date,.more,.when,.faint{fill:#a4aebe}.strong{fill:#e8ebf2}.who{fill:#ccd3df}.track{fill:#2a303b}.tint{fill-opacity:.32}
    .odd{fill:#191d25}.even{fill:#20252f}.day{stroke:#2c323d}.outside{fill:none;stroke:#20242c}.today{fill:#14171d;stroke:#e8ebf2}.month{stroke:#6d788b}}
    @media print{:root{print-color-adjust:exact;-webkit-print-color-adjust:exact}}
    """
}
