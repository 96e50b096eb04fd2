'use strict';

const fs = require('fs');
const path = require('path');

function isEmpty(value) {
  return value === null || value === undefined || value === '';
}

function capitalize(str) {
  return str.charAt(0).toUpperCase() + str.slice(1);
}

function readRoster(name) {
  const file = path.join(__dirname, 'rosters', name + '.json');
  return JSON.parse(fs.readFileSync(file, 'utf8'));
}

module.exports = {
  isEmpty,
  capitalize,
  readRoster
};
