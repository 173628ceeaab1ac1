// SPDX-License-Identifier: Apache-2.0
// CoreAudio exports the types. If this module exported the headers itself, CFString and similar
// names would be ambiguous in a file that imports both modules.
@_exported import CoreAudio
