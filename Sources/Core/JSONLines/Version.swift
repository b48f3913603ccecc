/// The one version number of all tools.
package let version = "0.1.0"

/// The day of that version, as mdoc's `.Dd` wants it: man pages must not change from day to day.
package let releaseDate = "November 21, 2026"
