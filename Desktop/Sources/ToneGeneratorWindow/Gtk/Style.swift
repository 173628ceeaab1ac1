// SPDX-License-Identifier: Apache-2.0
import CAdwaita

/// Additions to Adwaita's style sheet.
enum Style {
  private static let sheet = """
    .frequency { font-size: 2.6em; font-weight: 300; font-feature-settings: "tnum"; }
    .note { opacity: 0.7; font-feature-settings: "tnum"; }
    .pill { min-width: 8em; }
    .number { font-feature-settings: "tnum"; }
    .panel {
      background-color: @window_bg_color;
      background-image: linear-gradient(alpha(currentColor, 0.03), alpha(currentColor, 0.03));
    }
    .tab { padding: 6px 2px; }
    .focused trough { outline: 2px solid alpha(@accent_color, 0.5); outline-offset: 2px; }
    """

  /// Adds them to all windows.
  static func install() {
    guard let provider = gtk_css_provider_new(), let display = gdk_display_get_default() else {
      return
    }
    gtk_css_provider_load_from_data(provider, sheet, -1)
    gtk_style_context_add_provider_for_display(
      display, OpaquePointer(provider), UInt32(GTK_STYLE_PROVIDER_PRIORITY_APPLICATION))
  }
}
