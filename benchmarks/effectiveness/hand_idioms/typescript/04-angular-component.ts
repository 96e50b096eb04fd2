import { Component, OnInit } from '@angular/core';
import { Sculpture } from '../sculpture';
import { SculptureService } from '../sculpture.service';

@Component({
  selector: 'app-sculpture-list',
  templateUrl: './sculpture-list.component.html',
  styleUrls: ['./sculpture-list.component.css']
})
export class SculptureListComponent implements OnInit {
  sculptures: Sculpture[] = [];

  constructor(private sculptureService: SculptureService) { }

  ngOnInit(): void {
    this.getSculptures();
  }

  getSculptures(): void {
    this.sculptureService.getSculptures().subscribe(sculptures => this.sculptures = sculptures);
  }
}
