/// The one version number of all tools.
package let version = "0.1.0"
