/** Decorators applied by hand, as a TypeScript build emits them: tools can be made in a loop like that. */

/** Declares a property of a DTO. */
exports.property = (dto, name, type, ...decorators) => {
  for (const decorate of decorators.reverse()) decorate(dto.prototype, name);
  Reflect.defineMetadata('design:type', type, dto.prototype, name);
};

/** Adds a method to a class. */
exports.method = (feature, { name, takes, returns, run }, decorate) => {
  const { prototype } = feature;
  Object.defineProperty(prototype, name, { value: run, writable: true, configurable: true });
  decorate(prototype, name, Object.getOwnPropertyDescriptor(prototype, name));
  Reflect.defineMetadata('design:type', Function, prototype, name);
  Reflect.defineMetadata('design:paramtypes', [takes], prototype, name);
  Reflect.defineMetadata('design:returntype', returns, prototype, name);
};
