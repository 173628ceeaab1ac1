// SPDX-License-Identifier: Apache-2.0
// GTK 4 and libadwaita for Swift, with wrappers for variadic functions, which Swift cannot call.

#ifndef CADWAITA_H
#define CADWAITA_H

// Newer versions deprecate functions that the oldest supported version needs.
#define GDK_DISABLE_DEPRECATION_WARNINGS
#define ADW_DISABLE_DEPRECATION_WARNINGS
#define GLIB_DISABLE_DEPRECATION_WARNINGS

#include <adwaita.h>
#include <glib-unix.h>
#include <gtk/gtk.h>
#include <libintl.h>

/// Sets the name of a widget for assistive technology.
static inline void accessible_set_label(GtkWidget *widget, const char *text) {
  gtk_accessible_update_property(GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_PROPERTY_LABEL, text, -1);
}

/// Sets a value in words for assistive technology, where the number alone says less.
static inline void accessible_set_value(GtkWidget *widget, const char *text) {
  gtk_accessible_update_property(GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT, text,
                                 -1);
}

/// Sets a description of a widget for assistive technology.
static inline void accessible_set_description(GtkWidget *widget, const char *text) {
  gtk_accessible_update_property(GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, text,
                                 -1);
}

/// A slider that is hidden from assistive technology, because another widget represents it.
static inline GtkWidget *presentation_scale(GtkAdjustment *adjustment) {
  return g_object_new(GTK_TYPE_SCALE, "adjustment", adjustment, "accessible-role",
                      GTK_ACCESSIBLE_ROLE_PRESENTATION, NULL);
}

/// The result of a handler of a spin button's "input" signal for an invalid number.
static const int spin_input_error = GTK_INPUT_ERROR;

/// A dialog to choose a file to open.
static inline GtkFileChooserNative *open_dialog(GtkWindow *parent, const char *title) {
  return gtk_file_chooser_native_new(title, parent, GTK_FILE_CHOOSER_ACTION_OPEN, NULL, NULL);
}

/// A dialog to choose a file to save to.
static inline GtkFileChooserNative *save_dialog(GtkWindow *parent, const char *title) {
  return gtk_file_chooser_native_new(title, parent, GTK_FILE_CHOOSER_ACTION_SAVE, NULL, NULL);
}

#endif
