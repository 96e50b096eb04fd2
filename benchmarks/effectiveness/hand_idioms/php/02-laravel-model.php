<?php

namespace App\Models;

use Illuminate\Database\Eloquent\Factories\HasFactory;
use Illuminate\Database\Eloquent\Model;

class Vineyard extends Model
{
    use HasFactory;

    protected $table = 'vineyards';

    protected $fillable = ['name', 'region', 'hectares', 'owner_id'];

    public function owner()
    {
        return $this->belongsTo(Owner::class);
    }

    public function harvests()
    {
        return $this->hasMany(Harvest::class);
    }
}
