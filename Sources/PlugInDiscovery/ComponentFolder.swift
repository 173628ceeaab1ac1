// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioUnitCore
import CAudioToolbox
import Glibc
import PlainText

/// A folder `Name.component` with audio units: `Contents/Info.plist` lists them, and a shared object in
/// `Contents/Linux-x86_64` (`Linux-aarch64`) has the functions that make their instances.
///
/// None of its code runs before the first instance is made.
package struct ComponentFolder: Sendable {
  /// Its path.
  package let path: String

  package init(_ path: String) { self.path = path }

  /// What is in `Contents` for this machine.
  static var platform: String {
    #if arch(arm64)
      "Linux-aarch64"
    #else
      "Linux-x86_64"
    #endif
  }

  /// A unit that its property list describes, and the function that makes its instances.
  struct Unit: Sendable {
    let plugIn: FoundPlugIn
    let file: PlugInFile
    let factory: String
  }

  /// [control thread] The units, in the order of the property list. What is wrong with the folder or
  /// with a unit is its reason.
  func units() -> [Unit] {
    do throws(AudioError) {
      let list = try propertyList()
      let entries = list["AudioComponents"]?.entries ?? []
      guard !entries.isEmpty else { throw problem("it has no array AudioComponents") }
      guard entries.count <= Self.unitLimit else {
        throw problem("it has \(entries.count) entries in AudioComponents")
      }
      let file = file(list["CFBundleExecutable"]?.string)
      let missing = access(file.path, R_OK) == 0 ? "" : "there is no file \(file.path)"
      return entries.enumerated().map { unit($1, number: $0, in: file, missing: missing) }
    } catch {
      return [Unit(plugIn: unusable(error.explanation), file: file(nil), factory: "")]
    }
  }

  /// More units than anybody has in one folder.
  private static let unitLimit = 1_000
  /// A larger property list is not read, in bytes.
  private static let sizeLimit = 1 << 20

  private var name: String {
    let last = path.split(separator: "/").last ?? ""
    return String(last.prefix { $0 != "." })
  }

  /// The shared object. A name from the property list must not lead out of the folder.
  private func file(_ executable: String?) -> PlugInFile {
    let stated = executable.flatMap { $0.isEmpty || $0.contains("/") ? nil : $0 } ?? name
    return PlugInFile("\(path)/Contents/\(Self.platform)/\(stated).so")
  }

  private func problem(_ reason: String) -> AudioError {
    .invalidFile.because("Info.plist: \(reason)")
  }

  private func unusable(_ reason: String) -> FoundPlugIn {
    FoundPlugIn(
      format: .audioUnit, path: path, name: name, identifier: path, reason: reason)
  }

  private func propertyList() throws(AudioError) -> PropertyList {
    let path = "\(path)/Contents/Info.plist"
    guard let file = fopen(path, "re") else {
      throw .invalidFile.because("\(path): \(String(cString: strerror(errno)))")
    }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: Self.sizeLimit + 1)
    let count = fread(&bytes, 1, bytes.count, file)
    guard count <= Self.sizeLimit else { throw problem("it is larger than 1 MB") }
    guard let list = Bridge.current.propertyList(file: Array(bytes[..<count])) else {
      throw problem("it is not a property list of a dictionary")
    }
    return list
  }

  /// The tags of a unit, as far as they are texts.
  private func tags(_ list: PropertyList?) -> [String] {
    (list?.entries ?? []).prefix(32).compactMap { $0.string.map { Excerpt.of($0, limit: 60) } }
  }

  private func unit(
    _ entry: PropertyList, number: Int, in file: PlugInFile, missing: String
  ) -> Unit {
    do throws(AudioError) {
      func text(_ key: String) throws(AudioError) -> String {
        guard let text = entry[key]?.string, !text.isEmpty else {
          throw problem("entry \(number + 1) has no text \"\(key)\"")
        }
        return text
      }
      func code(_ key: String) throws(AudioError) -> OSType {
        let text = try text(key)
        guard text.utf8.count == 4, let code = FourCharacterCode(text) else {
          throw problem(
            "entry \(number + 1): \(key) is \(Excerpt.quoted(text)), expected four characters")
        }
        return code.rawValue
      }
      var codes = AudioComponentDescription()
      codes.componentType = try code("type")
      codes.componentSubType = try code("subtype")
      codes.componentManufacturer = try code("manufacturer")
      if entry["sandboxSafe"]?.bool == true {
        codes.componentFlags = AudioComponentFlags.sandboxSafe.rawValue
      }
      guard let version = entry["version"]?.integer.flatMap({ UInt32(exactly: $0) }) else {
        throw problem("entry \(number + 1) has no whole number \"version\"")
      }
      let plugIn = FoundPlugIn(
        format: .audioUnit, path: path, name: Excerpt.of(try text("name"), limit: 200),
        identifier: codes.codes, codes: codes, version: version,
        traits: ComponentTraits(tags: tags(entry["tags"])), reason: missing)
      return Unit(plugIn: plugIn, file: file, factory: try text("factoryFunction"))
    } catch {
      return Unit(plugIn: unusable(error.explanation), file: file, factory: "")
    }
  }
}
