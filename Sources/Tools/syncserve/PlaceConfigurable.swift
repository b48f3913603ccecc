import CommandLine
import CommonInputs
import JSONLines
import Postgres
import Server
import Store
import SyncCore
import SystemIO
import RecordInputs

/// The settings that stores in a database need in addition to its URL.
struct DatabaseSettings: Sendable {
  var keys: FilePath?
  var password: SecretSource?
}

/// Settings of a command that is about the stores of a server.
protocol PlaceConfigurable: StoreConfigurable {
  var place: FilePath? { get set }
  var database: DatabaseSettings { get set }
}

extension PlaceConfigurable {
  /// The default file: none, because a server does not have a default place.
  var defaultFile: String? { nil }

  func places() throws -> HouseholdPlaces {
    guard let place else {
      throw UsageError.conflict(
        "--store is required: a file, a folder with a slash at its end, or postgresql://…")
    }
    guard PostgresAddress.isURL(place.path) else {
      try Self.refuseLikeness(place)
      if database.password != nil {
        throw UsageError.conflict("'--password-file' is for a database, and --store names a file")
      }
      return HouseholdPlaces(place.path)
    }
    return .database(try PostgresAddress(place.path, password: password()))
  }

  /// A value that resembles the URL of a database is not a file name; it is not printed, as it may contain a password.
  static func refuseLikeness(_ place: FilePath) throws {
    guard PostgresAddress.isLikeURL(place.path) else { return }
    throw Diagnostic(
      .invalidOptionValue, "not the URL of a database",
      hint: "postgresql://USER@HOST/DATABASE, in lower case; to name a file, write ./postgresql:…")
  }

  /// The password of the database.
  func password() throws -> [UInt8]? { try database.password?.read().bytes }

  func households() throws -> Households { Households(try places(), wait: store.wait) }

  /// Throws if the file or folder of `--store` does not exist, and no household was removed or moved from there.
  func requirePlace(_ households: Households) throws {
    guard let path = place?.path, households.places.serverFolder != nil, !FileMode.mayExist(path),
      try Diagnostic.naming(store: path, { try households.allNames().isEmpty })
    else { return }
    throw Diagnostic(
      .fileNotFound, "no such file or folder", file: path,
      hint: "check --store; to make it: syncserve household add home --store \(ShellWord.path(path))")
  }

  /// The names of all households.
  func names(of households: Households) throws -> [String] {
    try Diagnostic.naming(store: place?.path ?? "") { try households.names() }
  }

  /// The names of the households that are being moved.
  func movingNames(of households: Households) throws -> [String] {
    try Diagnostic.naming(store: place?.path ?? "") { try households.movingNames() }
  }

  /// The command that lists the keys of the server.
  var keyList: String {
    "syncserve key list --store \(ShellWord.path(place?.path ?? ""))"
      + (database.keys.map { " --keys \(ShellWord.path($0.path))" } ?? "")
  }

  /// The keys of the server.
  func keyRing(_ places: HouseholdPlaces) throws -> KeyRing {
    guard let folder = database.keys?.path ?? places.serverFolder else {
      throw UsageError.conflict("with a database, --keys FOLDER is required for the keys of the server")
    }
    return KeyRing(in: folder)
  }
}

extension Option where Settings: PlaceConfigurable {
  static var place: [Option] {
    [
      .value("store", "Use a file, a folder with a file per household, or the URL of a PostgreSQL database.")
      {
        $0.place = $1
      },
      .value(
        "keys", named: "FOLDER", "Keep the keys of the server in this folder (default: beside the stores)."
      ) {
        $0.database.keys = $1
      },
      .value(
        "password-file",
        "Read the password of the database from here (default: PGPASSFILE or PGPASSWORD)."
      ) {
        $0.database.password = $1
      },
      .value("wait", "Wait up to this long while another process writes (default: 10s).") {
        $0.store.wait = $1
      },
    ]
  }
}
