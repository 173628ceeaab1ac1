// SPDX-License-Identifier: Apache-2.0

/// The two parts of a component's name, which is "Manufacturer: Name".
package struct ComponentNames: Equatable {
  /// Empty if the name has only one part.
  package var manufacturer = ""
  package var name: String

  package init(_ text: String) {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      .map { $0.drop { $0 == " " } }
    guard parts.count == 2 else {
      name = text
      return
    }
    manufacturer = String(parts[0])
    name = String(parts[1])
  }
}
