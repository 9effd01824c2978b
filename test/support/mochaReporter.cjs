// Mocha's command line takes a reporter from `module.exports` only.
module.exports = require('./countingReporter.ts').CountingReporter;
