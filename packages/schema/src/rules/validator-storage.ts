/**
 * The parts of class-validator that read the metadata of its decorators, file by file: its main entry loads all of its validators, and a
 * server whose authors import none of them should not pay for that. Its storage is registered globally, so there is one for the
 * process, regardless of who loads it.
 */
import type * as ClassValidator from 'class-validator';
import { withLateDecorators } from './late-decorators';

// The casts stand for the types of the main entry, which re-exports these files: they have no types of their own.
/* eslint-disable @typescript-eslint/no-require-imports -- no types to import, and bundlers follow a plain require */
const metadata = require('class-validator/cjs/metadata/MetadataStorage') as typeof ClassValidator;
const validation = require('class-validator/cjs/validation/ValidationTypes') as typeof ClassValidator;
const { IsOptional: optional } = require('class-validator/cjs/decorator/common/IsOptional') as typeof ClassValidator;
/* eslint-enable @typescript-eslint/no-require-imports */

/** The metadata of class-validator for all classes. */
export const { getMetadataStorage } = withLateDecorators(metadata);
/** The kinds of rules of class-validator. */
export const { ValidationTypes } = validation;
/** The decorator of optional properties. */
export const IsOptional = optional;
