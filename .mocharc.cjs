module.exports = {
  require: ['tsx/cjs'],
  extension: ['ts'],
  timeout: 20000,
  'forbid-only': true,
  'forbid-pending': true,
};
