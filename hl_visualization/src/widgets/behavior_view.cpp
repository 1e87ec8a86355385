// SPDX-License-Identifier: Apache-2.0
#include "hl_visualization/behavior_view.hpp"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QResizeEvent>
#include <QTextBlock>
#include <algorithm>

#include "hl_visualization/palette.hpp"

namespace hl_visualization {
namespace {

const char* const kRoles[] = {"idling", "other", "striker", "supporter", "defender", "goalie"};
const char* const kActions[] = {"undefined", "positioning", "going to ball", "trying to score", "waiting"};
const char* const kEvents[] = {"started", "completed", "failed", "aborted"};

/// "12:3 wait(2)": where it stands, and the word it begins with.
struct Place {
  int line = 0, column = 0;  // from 1; 0 = not told
  QString word;
};

Place place_of(const std::string& statement) {
  static const QRegularExpression form(QStringLiteral("^(\\d{1,6}):(\\d{1,6}) (\\w+)"));
  const auto match = form.match(QString::fromStdString(statement));
  return {match.captured(1).toInt(), match.captured(2).toInt(), match.captured(3)};
}

}  // namespace

std::string role_name(int role) {
  return role >= 0 && role < 6 ? kRoles[role] : "role " + std::to_string(role);
}

std::string action_name(int action) {
  return action >= 0 && action < 5 ? kActions[action] : "action " + std::to_string(action);
}

BehaviorView::BehaviorView(QWidget* parent) : Canvas(parent) {
  setObjectName(QStringLiteral("behavior"));
  setWindowTitle(QStringLiteral("Behaviour"));
  setMinimumSize(420, 300);
  roles_ = new QComboBox(this);
  roles_->setObjectName(QStringLiteral("role"));
  roles_->addItem(QStringLiteral("automatic"), -1);
  for (int i = 0; i < 6; ++i) roles_->addItem(QString::fromLatin1(kRoles[i]), i);
  auto* set = new QPushButton(QStringLiteral("Set role"), this);
  set->setObjectName(QStringLiteral("set_role"));
  task_ = new QComboBox(this);
  task_->setObjectName(QStringLiteral("task"));
  task_->setEditable(true);
  task_->setMinimumWidth(120);
  task_->lineEdit()->setPlaceholderText(QStringLiteral("task(arguments)"));
  auto* run = new QPushButton(QStringLiteral("Run"), this);
  run->setObjectName(QStringLiteral("run"));
  auto* cancel = new QPushButton(QStringLiteral("Cancel"), this);
  cancel->setObjectName(QStringLiteral("cancel"));
  for (QWidget* widget : std::initializer_list<QWidget*>{roles_, set, task_, run, cancel}) bar()->addWidget(widget);
  bar()->setStretch(bar()->indexOf(task_), 1);
  editor_ = new QPlainTextEdit(this);
  editor_->setObjectName(QStringLiteral("editor"));
  editor_->setPlaceholderText(QStringLiteral("RTDL text of a task; empty: the installed task named above"));
  editor_->setLineWrapMode(QPlainTextEdit::NoWrap);
  QFont fixed(QStringLiteral("DejaVu Sans Mono"));
  fixed.setPixelSize(12);
  editor_->setFont(fixed);
  editor_->setStyleSheet(QStringLiteral("background: #12161b; color: #e8ebef; border: 1px solid #3a4451;"));

  connect(set, &QPushButton::clicked, this, [this] { Q_EMIT role_chosen(roles_->currentData().toInt()); });
  connect(cancel, &QPushButton::clicked, this, [this] { Q_EMIT cancel_chosen(); });
  connect(run, &QPushButton::clicked, this, [this] {
    QString name = task_->currentText().trimmed();
    QStringList arguments;
    if (const int open = name.indexOf(QLatin1Char('(')); open >= 0 && name.endsWith(QLatin1Char(')'))) {
      for (const QString& part : name.mid(open + 1, name.size() - open - 2).split(QLatin1Char(','), Qt::SkipEmptyParts))
        arguments << part.trimmed();
      name = name.left(open).trimmed();
    }
    const QString text = editor_->toPlainText();
    Q_EMIT run_chosen(name, arguments, text == installed_ ? QString() : text);
  });
  connect(editor_, &QPlainTextEdit::textChanged, this, [this] { mark_statements(); });
}

void BehaviorView::set_data(const BehaviorData& data) {
  if (data.tasks != data_.tasks) {
    const QString typed = task_->currentText();
    task_->clear();
    for (const std::string& task : data.tasks) task_->addItem(QString::fromStdString(task));
    task_->setCurrentText(typed);
  }
  const bool moved = data.statements != data_.statements;
  const QString text = QString::fromStdString(data.text), shown = editor_->toPlainText();
  data_ = data;
  if (text != installed_ && (shown.isEmpty() || shown == installed_)) {
    installed_ = text;
    editor_->setPlainText(text);
  }
  if (moved) mark_statements();
  update();
}

std::vector<int> BehaviorView::marked_lines() const {
  std::vector<int> lines;
  for (const auto& selection : editor_->extraSelections()) lines.push_back(selection.cursor.blockNumber() + 1);
  return lines;
}

void BehaviorView::mark_statements() {
  QList<QTextEdit::ExtraSelection> marks;
  for (const std::string& statement : data_.statements) {
    const Place place = place_of(statement);
    const QTextBlock block = editor_->document()->findBlockByNumber(place.line - 1);
    // A statement of a task in another file stands elsewhere in this one.
    if (place.line < 1 || !block.isValid() || !block.text().midRef(place.column - 1).startsWith(place.word)) continue;
    QTextEdit::ExtraSelection mark;
    mark.cursor = QTextCursor(block);
    mark.format.setBackground(palette::faded(palette::kActive, 0.45));
    mark.format.setProperty(QTextFormat::FullWidthSelection, true);
    marks << mark;
  }
  editor_->setExtraSelections(marks);
}

QRectF BehaviorView::editor_area() const {
  const QRectF area = drawing_area();
  const double high = std::clamp(area.height() * 0.24, 60.0, 190.0);
  return QRectF(area.left() + 6, area.bottom() - high - 6, area.width() / 2 - 9, high);
}

void BehaviorView::resizeEvent(QResizeEvent* event) {
  Canvas::resizeEvent(event);
  layout()->activate();
  editor_->setGeometry(editor_area().toRect());
}

void BehaviorView::draw(QPainter& painter, const QRectF& area) {
  const double bottom = std::clamp(area.height() * 0.24, 60.0, 190.0);
  const QRectF upper = area.adjusted(6, 6, -6, -bottom - 12);
  const double half = upper.width() / 2 - 3;
  const double decision = std::min(118.0, upper.height() * 0.45);
  draw_decision(painter, QRectF(upper.left(), upper.top(), half, decision));
  draw_slots(painter, QRectF(upper.right() - half, upper.top(), half, decision));
  const QRectF lower = upper.adjusted(0, decision + 6, 0, 0);
  draw_reasons(painter, QRectF(lower.left(), lower.top(), half, lower.height()));
  draw_events(painter, QRectF(lower.right() - half, lower.top(), half, lower.height()));
  // Right of the editor: what runs, and the answer to the last order.
  const QRectF right(area.center().x() + 3, area.bottom() - bottom - 6, area.width() / 2 - 9, bottom);
  const QRectF inside = draw_box(painter, right, QStringLiteral("TASK"));
  double y = inside.top();
  const auto line = [&](const QString& text, const QColor& color, bool bold = false) {
    if (y + 16 > inside.bottom() + 4) return;
    painter.setFont(palette::font(12, bold));
    painter.setPen(color);
    draw_text(painter, QRectF(inside.left(), y, inside.width(), 16), Qt::AlignVCenter | Qt::AlignLeft, text);
    y += 17;
  };
  line(data_.task.empty() ? QStringLiteral("none: the tactics decide") : QString::fromStdString(data_.task),
       data_.task.empty() ? palette::kDim : palette::kActive, true);
  if (!data_.answer.empty()) line(QString::fromStdString(data_.answer), palette::kPath);
  for (const std::string& statement : data_.statements) line(QString::fromStdString(statement), palette::kText);
}

void BehaviorView::draw_decision(QPainter& painter, const QRectF& area) const {
  const QRectF inside = draw_box(painter, area, QStringLiteral("DECISION"));
  if (!data_.known) {
    draw_empty(painter, inside, QStringLiteral("no decision yet"));
    return;
  }
  painter.setFont(palette::font(20, true));
  painter.setPen(palette::kActive);
  draw_text(painter, QRectF(inside.left(), inside.top(), inside.width(), 26), Qt::AlignVCenter | Qt::AlignLeft,
            QString::fromStdString(data_.role));
  painter.setFont(palette::font(14));
  painter.setPen(palette::kText);
  draw_text(painter, QRectF(inside.left(), inside.top() + 28, inside.width(), 20), Qt::AlignVCenter | Qt::AlignLeft,
            QString::fromStdString(data_.action));
  painter.setFont(palette::font(12));
  painter.setPen(palette::kDim);
  painter.drawText(QRectF(inside.left(), inside.top() + 50, inside.width(), inside.height() - 50),
                   Qt::AlignTop | Qt::AlignLeft | Qt::TextWordWrap, QString::fromStdString(data_.situation));
}

void BehaviorView::draw_slots(QPainter& painter, const QRectF& area) const {
  const QRectF inside = draw_box(painter, area, QStringLiteral("SKILL IN EACH SLOT"));
  const struct {
    const char* name;
    const BehaviorData::Slot* slot;
  } rows[] = {{"move", &data_.move}, {"head", &data_.head}, {"kick", &data_.kick}};
  const double high = std::min(27.0, inside.height() / 3);
  double y = inside.top();
  for (const auto& row : rows) {
    painter.setFont(palette::font(12));
    painter.setPen(palette::kDim);
    painter.drawText(QRectF(inside.left(), y, 40, high), Qt::AlignVCenter | Qt::AlignLeft,
                     QString::fromLatin1(row.name));
    const bool none = row.slot->skill.empty();
    painter.setPen(none ? palette::kDim : palette::kText);
    const double chip = row.slot->state.empty() ? 0.0 : 70.0;
    draw_text(painter, QRectF(inside.left() + 46, y, inside.width() - 52 - chip, high),
              Qt::AlignVCenter | Qt::AlignLeft,
              none ? QStringLiteral("none") : QString::fromStdString(row.slot->skill));
    if (chip > 0) {
      const QColor color = row.slot->state == "running" ? palette::kGood
                           : row.slot->state == "busy"  ? palette::kWarn
                                                        : palette::kDim;
      const QRectF box(inside.right() - 66, y + high / 2 - 9, 66, 18);
      painter.setPen(Qt::NoPen);
      painter.setBrush(color);
      painter.drawRoundedRect(box, 9, 9);
      painter.setPen(palette::kBackground);
      painter.setFont(palette::font(11, true));
      painter.drawText(box, Qt::AlignCenter, QString::fromStdString(row.slot->state));
    }
    y += high;
  }
}

void BehaviorView::draw_reasons(QPainter& painter, const QRectF& area) const {
  const QRectF inside = draw_box(painter, area, QStringLiteral("REASONS"));
  painter.setFont(palette::font(12));
  double y = inside.top();
  for (const auto& [name, value] : data_.reasons) {
    if (y + 17 > inside.bottom() + 4) break;
    painter.setPen(palette::kDim);
    draw_text(painter, QRectF(inside.left(), y, inside.width() * 0.45 - 6, 17), Qt::AlignVCenter | Qt::AlignLeft,
              QString::fromStdString(name).replace(QLatin1Char('_'), QLatin1Char(' ')));
    painter.setPen(palette::kText);
    draw_text(painter, QRectF(inside.left() + inside.width() * 0.45, y, inside.width() * 0.55, 17),
              Qt::AlignVCenter | Qt::AlignLeft, QString::fromStdString(value));
    y += 18;
  }
}

void BehaviorView::draw_events(QPainter& painter, const QRectF& area) const {
  const QRectF inside = draw_box(painter, area, QStringLiteral("LAST SKILLS"));
  double y = inside.top();
  for (const auto& event : data_.events) {
    if (y + 17 > inside.bottom() + 4) break;
    const QColor colors[] = {palette::kSelf, palette::kGood, palette::kBad, palette::kWarn};
    const int kind = std::clamp(event.kind, 0, 3);
    painter.setFont(palette::font(11));
    painter.setPen(palette::kDim);
    painter.drawText(QRectF(inside.left(), y, 56, 17), Qt::AlignVCenter | Qt::AlignRight,
                     QStringLiteral("%1 s").arg(event.time, 0, 'f', 1));
    painter.setPen(colors[kind]);
    painter.drawText(QRectF(inside.left() + 64, y, 70, 17), Qt::AlignVCenter | Qt::AlignLeft,
                     QString::fromLatin1(kEvents[kind]));
    painter.setPen(palette::kText);
    QString text = QString::fromStdString(event.skill);
    if (!event.reason.empty()) text += QStringLiteral(": ") + QString::fromStdString(event.reason);
    draw_text(painter, QRectF(inside.left() + 136, y, inside.width() - 136, 17), Qt::AlignVCenter | Qt::AlignLeft,
              text);
    y += 18;
  }
}

}  // namespace hl_visualization
