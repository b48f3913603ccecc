/// The one version number of all tools.
package let version = "0.1.0"

/// The day of that version, in the form of mdoc's `.Dd`: man pages must not change from day to day.
package let releaseDate = "November 21, 2026"
