/** The programs of `docs/nest.md`, as they are written in an application. */
import { NestFactory } from '@nestjs/core';
import { AppModule } from '../guide.spec';

export async function http(): Promise<void> {
  // #region http
  const app = await NestFactory.create(AppModule);
  app.enableShutdownHooks();
  await app.listen(3000);
  // #endregion http
}

export async function stdio(): Promise<void> {
  // #region stdio
  const app = await NestFactory.createApplicationContext(AppModule);
  app.enableShutdownHooks();
  // #endregion stdio
}
