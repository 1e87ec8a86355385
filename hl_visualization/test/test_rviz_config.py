#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The RViz file and the plug-in list without RViz and rqt: known classes, topics of the contract with a fitting QoS.

usage: test_rviz_config.py CONFIG CONTRACT PLUGIN_XML
"""
import sys
import xml.etree.ElementTree

import yaml

DISPLAYS = {'MarkerArray', 'RobotModel', 'TF', 'PoseArray', 'PoseWithCovariance', 'Path', 'PointCloud2', 'Image'}
TOOLS = {'Interact', 'MoveCamera', 'Select', 'SetInitialPose', 'SetGoal'}


def topics(config):
    manager = config['Visualization Manager']
    for item in manager['Displays'] + manager['Tools']:
        package, name = item['Class'].split('/')
        assert package == 'rviz_default_plugins', item['Class']
        assert name in DISPLAYS | TOOLS, f'{name} is no display of RViz'
        for key in ('Topic', 'Description Topic'):
            if key in item:
                yield item[key]


def main():
    with open(sys.argv[1], encoding='utf-8') as file:
        config = yaml.safe_load(file)
    with open(sys.argv[2], encoding='utf-8') as file:
        contract = yaml.safe_load(file)['topics']
    count = 0
    for topic in topics(config):
        name = topic['Value']
        assert not name.startswith('/'), f'{name}: relative, so that a namespace counts'
        assert name in contract, f'{name} is not in the contract'
        qos = contract[name]['qos']
        assert qos != 'image' or topic['Reliability Policy'] == 'Best Effort', f'{name} is offered best effort'
        assert qos != 'latched' or topic['Durability Policy'] == 'Transient Local', f'{name} is latched'
        count += 1
    assert count >= 8 and config['Visualization Manager']['Global Options']['Fixed Frame'] == 'map'

    library = xml.etree.ElementTree.parse(sys.argv[3]).getroot()
    assert library.tag == 'library' and library.get('path') == 'hl_visualization_rqt'
    classes = library.findall('class')
    assert len(classes) == 7
    for entry in classes:
        assert entry.get('base_class_type') == 'rqt_gui_cpp::Plugin'
        assert entry.find('qtgui/group/label').text == 'Humanoid League'
        assert entry.find('qtgui/label').text and entry.find('description').text
    print(f'{count} topics of the RViz file and {len(classes)} plug-ins are as they should be')


main()
