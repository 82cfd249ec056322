/**
 * The parts of class-validator that are needed to read what its decorators wrote, file by file: its main entry loads every validator that
 * it has, and a server whose authors import none of them should not pay for them. Its storage is one for the process, whoever
 * loads it and from where: it is registered globally.
 */
import type * as ClassValidator from 'class-validator';

// The casts stand for the types of the main entry, which hands on the same: the single files have none of their own.
/* eslint-disable @typescript-eslint/no-require-imports -- no types to import, and bundlers follow a plain require */
const metadata = require('class-validator/cjs/metadata/MetadataStorage') as typeof ClassValidator;
const validation = require('class-validator/cjs/validation/ValidationTypes') as typeof ClassValidator;
const { IsOptional: optional } = require('class-validator/cjs/decorator/common/IsOptional') as typeof ClassValidator;
/* eslint-enable @typescript-eslint/no-require-imports */

/** What class-validator knows of all classes. */
export const { getMetadataStorage } = metadata;
/** What a rule of class-validator is about. */
export const { ValidationTypes } = validation;
/** The decorator that says that a property may be left out. */
export const IsOptional = optional;
