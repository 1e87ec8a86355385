// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QMap>
#include <QVariant>

namespace qt_gui_cpp {

class Settings {
 public:
  QVariant value(const QString& key, const QVariant& fallback = QVariant()) const {
    return values_.value(key, fallback);
  }
  void setValue(const QString& key, const QVariant& value) { values_[key] = value; }
  bool contains(const QString& key) const { return values_.contains(key); }

 private:
  QMap<QString, QVariant> values_;
};

}  // namespace qt_gui_cpp
