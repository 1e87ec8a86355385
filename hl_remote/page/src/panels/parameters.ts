// SPDX-License-Identifier: Apache-2.0
import { Connection } from "../connection";
import { Panel } from "../panel";
import { ParameterTable } from "../parameter_table";
import { Robot, Robots } from "../robots";

/// Parameters of the selected robot's nodes.
export class ParameterPanel extends Panel {
  private table: ParameterTable;

  constructor(connection: Connection, robots: Robots) {
    super("parameters", connection, robots, true);
    this.table = new ParameterTable(connection);
    this.body.append(this.table.box);
  }
  protected start(robot: Robot) {
    this.table.show([robot.prefix]);
    this.ended(() => this.table.hide());
  }
  protected draw() {
    this.table.draw();
  }
}
