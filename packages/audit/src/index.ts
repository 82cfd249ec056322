/** Audit records of Sigil servers. */
export { audit, type Audit, type AuditOptions } from './audit';
export type { ChainHead } from './chain/chain';
export type {
  AuditedCaller,
  AuditedClient,
  AuditedGuard,
  AuditedQuestion,
  AuditRecord,
  LossRecord,
  NameList,
  RecordHead,
  RecordSeal,
  RefusalRecord,
  RequestRecord,
  StartRecord,
  StopRecord,
  UnreadableRecord,
} from './records/audit-record';
export type { AuditSink, OpenedSink, SinkOpening, TakeRecords } from './sinks/audit-sink';
export { fileSink, type FileSinkOptions } from './sinks/file/file-sink';
export { stderrSink, stdoutSink } from './sinks/audit-sink';
