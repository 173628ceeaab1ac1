// SPDX-License-Identifier: Apache-2.0
public import AudioSupport
import Glibc

/// A shared object that registers components when it is loaded, by a constructor that calls
/// `AudioComponentRegister`.
public struct PlugInFile: Sendable {
  /// Its path.
  public let path: String

  /// A file, which is not read yet.
  public init(_ path: String) {
    // A path without a slash would be searched for among the system's libraries.
    self.path = path.contains("/") ? path : "./" + path
  }

  /// [control thread] Loads it permanently, because nobody knows when its last unit or thread ends.
  /// Returns the components that it has added to a registry.
  /// - Throws: `invalidFile` if it cannot be loaded.
  @discardableResult
  public func load(into registry: ComponentRegistry) throws(AudioError) -> [Component] {
    // It must find the library that the program is linked with, and not a second copy.
    guard dlsym(nil, "AudioComponentRegister") != nil else {
      throw .invalidFile.because(
        "this program does not share its library with plug-ins: use the `au` that "
          + "`make install` installs")
    }
    let before = Set(registry.all().map(ObjectIdentifier.init))
    guard dlopen(path, RTLD_NOW | RTLD_LOCAL) != nil else {
      let reason = dlerror().map { String(cString: $0) }
      throw .invalidFile.because(reason ?? "it cannot be loaded")
    }
    return registry.all().filter { !before.contains(ObjectIdentifier($0)) }
  }
}
