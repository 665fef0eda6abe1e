/** As NestJS's pages on Fastify, guards and the ValidationPipe say. It has no response validation. */
import 'reflect-metadata';
import {
  Body,
  Controller,
  HttpCode,
  Injectable,
  Module,
  Post,
  UnauthorizedException,
  UseGuards,
  ValidationPipe,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { IsInt, IsOptional, IsString, Matches } from 'class-validator';
import type { FastifyRequest } from 'fastify';
import { insert } from './insert.js';
import { readSetup, TEXT_PATTERN } from './setup.js';

const { port, token } = readSetup();

class NewPlantDto {
  @IsInt()
  id: number;

  @IsString()
  @Matches(new RegExp(TEXT_PATTERN))
  name: string;

  @IsString()
  @Matches(new RegExp(TEXT_PATTERN))
  @IsOptional()
  tag?: string;
}

@Injectable()
class PlantsService {
  create(plant: NewPlantDto): Promise<void> {
    return insert(plant);
  }
}

@Injectable()
class AuthGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { headers } = context.switchToHttp().getRequest<FastifyRequest>();
    if (headers.authorization !== `Bearer ${token}`) throw new UnauthorizedException();
    return true;
  }
}

@Controller('plants')
class PlantsController {
  constructor(private readonly plants: PlantsService) {}

  @Post()
  @HttpCode(200)
  @UseGuards(AuthGuard)
  async create(@Body() plant: NewPlantDto) {
    await this.plants.create(plant);
    return { name: plant.name, tag: plant.tag };
  }
}

@Module({ controllers: [PlantsController], providers: [PlantsService] })
// eslint-disable-next-line @typescript-eslint/no-extraneous-class -- a module is what decorates it
class AppModule {}

const app = await NestFactory.create<NestFastifyApplication>(AppModule, new FastifyAdapter());
app.useGlobalPipes(new ValidationPipe());
await app.listen(port, '127.0.0.1');
