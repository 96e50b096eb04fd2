func TestTicketPrice(t *testing.T) {
	tests := []struct {
		name    string
		age     int
		want    int
		wantErr bool
	}{
		{name: "child", age: 5, want: 3},
		{name: "adult", age: 30, want: 10},
		{name: "negative", age: -1, wantErr: true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := TicketPrice(tt.age)
			if (err != nil) != tt.wantErr {
				t.Fatalf("TicketPrice() error = %v, wantErr %v", err, tt.wantErr)
			}
			if got != tt.want {
				t.Errorf("TicketPrice() = %v, want %v", got, tt.want)
			}
		})
	}
}
