/* global module, require */
/**
 * ts-jest, told to write CommonJS also for a project of ES modules: jest runs nothing else without flags. So the tests of a project of
 * ES modules (`"type": "module"`) need no setting.
 */
const { TsJestTransformer } = require('ts-jest');

class CommonJsTransformer extends TsJestTransformer {
  _createConfigSet(config) {
    const set = super._createConfigSet(config);
    const { CommonJS } = set.compilerModule.ModuleKind;
    // The module kinds of Node would let package.json decide.
    if (!set.useESM) Object.assign(set.parsedTsConfig.options, { module: CommonJS, esModuleInterop: true });
    return set;
  }
}

module.exports = { createTransformer: (options) => new CommonJsTransformer(options) };
