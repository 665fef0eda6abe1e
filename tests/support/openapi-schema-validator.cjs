// express-openapi-validator compiles OpenAPI's own schema for each of its instances, and uses it only
// with validateApiSpec, which is off here. It takes three quarters of the time to build an app, and so
// of most tests; jest.config.js puts this in its place, which compiles it once for each test file.
const {
  OpenAPISchemaValidator,
} = require('express-openapi-validator/dist/framework/openapi.schema.validator');

const compiled = new Map();

exports.OpenAPISchemaValidator = function (options) {
  const key = JSON.stringify(options);
  if (!compiled.has(key)) compiled.set(key, new OpenAPISchemaValidator(options));
  return compiled.get(key);
};
