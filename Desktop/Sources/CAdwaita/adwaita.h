// SPDX-License-Identifier: Apache-2.0
// GTK 4 and libadwaita for Swift, and what Swift cannot call of them: functions with any number of
// arguments.

#ifndef CADWAITA_H
#define CADWAITA_H

// What newer versions advise against is there in the oldest that we support.
#define GDK_DISABLE_DEPRECATION_WARNINGS
#define ADW_DISABLE_DEPRECATION_WARNINGS
#define GLIB_DISABLE_DEPRECATION_WARNINGS

#include <adwaita.h>
#include <glib-unix.h>
#include <gtk/gtk.h>
#include <libintl.h>

/// Tells assistive technology what a widget is called.
static inline void accessible_set_label(GtkWidget *widget, const char *text) {
  gtk_accessible_update_property(GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_PROPERTY_LABEL, text, -1);
}

/// Tells assistive technology a value in words, where its number alone says less.
static inline void accessible_set_value(GtkWidget *widget, const char *text) {
  gtk_accessible_update_property(GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT, text,
                                 -1);
}

/// Tells assistive technology more about a widget than its name.
static inline void accessible_set_description(GtkWidget *widget, const char *text) {
  gtk_accessible_update_property(GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, text,
                                 -1);
}

/// A slider that assistive technology does not see: another widget speaks for it.
static inline GtkWidget *unspoken_scale(GtkAdjustment *adjustment) {
  return g_object_new(GTK_TYPE_SCALE, "adjustment", adjustment, "accessible-role",
                      GTK_ACCESSIBLE_ROLE_PRESENTATION, NULL);
}

/// What a handler of the signal "input" of a spin button answers where the text is no number.
static const int spin_input_error = GTK_INPUT_ERROR;

/// A dialog for the choice of a file to write to.
static inline GtkFileChooserNative *save_dialog(GtkWindow *parent, const char *title) {
  return gtk_file_chooser_native_new(title, parent, GTK_FILE_CHOOSER_ACTION_SAVE, NULL, NULL);
}

#endif
