/** A note, and the inputs to create, find and sum up notes. */
import { Describe } from '@sigil-mcp/core';
import { IsIn, IsString, Length, ValidateNested } from 'class-validator';
import { Type } from 'class-transformer';

/** Identifies a note within a folder. */
export class NoteTitle {
  @Describe('Title of the note')
  @IsString()
  @Length(1, 80)
  title!: string;
}

/** Identifies a note. */
export class NotePlace extends NoteTitle {
  @Describe('Folder of the organisation that it belongs to')
  @IsString()
  @Length(1, 80)
  folder!: string;
}

/** The URI of a note. */
export function noteUri({ folder, title }: NotePlace): string {
  return `notes://${folder}/${encodeURIComponent(title)}`;
}

/** A note to add. */
export class NewNote extends NoteTitle {
  @Describe('The note itself')
  @IsString()
  @Length(1, 5000)
  text!: string;
}

/** A note as it is stored. */
export class Note extends NewNote {
  @Describe('Who wrote it')
  @IsString()
  author!: string;
}

/** All notes of a tenant. */
export class Notes {
  @Describe('The notes, the oldest first')
  @ValidateNested({ each: true })
  @Type(() => Note)
  notes!: Note[];
}

/** How to sum up notes. */
export class Summary {
  @Describe('How much to say')
  @IsIn(['brief', 'detailed'])
  length: string = 'brief';
}
