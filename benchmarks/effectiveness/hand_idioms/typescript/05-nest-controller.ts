import { Body, Controller, Delete, Get, Param, Post } from '@nestjs/common';
import { CreateCabinDto } from './dto/create-cabin.dto';
import { CabinsService } from './cabins.service';

@Controller('cabins')
export class CabinsController {
  constructor(private readonly cabinsService: CabinsService) {}

  @Post()
  create(@Body() createCabinDto: CreateCabinDto) {
    return this.cabinsService.create(createCabinDto);
  }

  @Get(':id')
  findOne(@Param('id') id: string) {
    return this.cabinsService.findOne(+id);
  }

  @Delete(':id')
  remove(@Param('id') id: string) {
    return this.cabinsService.remove(+id);
  }
}
