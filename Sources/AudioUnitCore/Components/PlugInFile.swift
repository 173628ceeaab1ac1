// SPDX-License-Identifier: Apache-2.0
public import AudioSupport
public import CAudioToolbox
import Glibc
import PlainText

/// A shared object with components: it registers them when it is loaded, by a constructor that calls
/// `AudioComponentRegister`, or a `ComponentFolder` names the functions that make their instances.
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
    let before = Set(registry.all().map(ObjectIdentifier.init))
    _ = try open()
    return registry.all().filter { !before.contains(ObjectIdentifier($0)) }
  }

  /// [control thread] Loads it permanently, and returns the function of this name, which makes
  /// instances of a component.
  /// - Throws: `invalidFile` if it cannot be loaded, or has no such function.
  public func factory(named name: String) throws(AudioError) -> AudioComponentFactoryFunction {
    guard let function = dlsym(try open(), name) else {
      throw .invalidFile.because("\(path) has no function \(Excerpt.quoted(name))")
    }
    return unsafeBitCast(function, to: AudioComponentFactoryFunction.self)
  }

  private func open() throws(AudioError) -> UnsafeMutableRawPointer {
    // It must find the library that the program is linked with, and not a second copy.
    guard dlsym(nil, "AudioComponentRegister") != nil else {
      throw .invalidFile.because(
        "this program does not share its library with plug-ins: use the `au` that "
          + "`make install` installs")
    }
    // Its constructors are functions of the program.
    return try Lock.whileYielded { () throws(AudioError) in
      guard let library = dlopen(path, RTLD_NOW | RTLD_LOCAL) else {
        let reason = dlerror().map { String(cString: $0) }
        throw .invalidFile.because(reason ?? "it cannot be loaded")
      }
      return library
    }
  }
}
