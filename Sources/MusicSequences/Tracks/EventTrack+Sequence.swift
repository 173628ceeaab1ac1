// SPDX-License-Identifier: Apache-2.0

extension EventTrack {
  /// Its sequence; nil after it was removed.
  package var sequence: EventSequence? { owner as? EventSequence }
}
